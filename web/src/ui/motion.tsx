// Motion's features, for what moves in ways CSS cannot say. Only games load them, not the shelf.
import { domAnimation, LazyMotion } from "motion/react";
import type { ReactNode } from "react";

export function MotionFeatures({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={domAnimation} strict>
      {children}
    </LazyMotion>
  );
}
