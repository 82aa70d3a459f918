// Motion's features, for what moves in ways CSS cannot say. They are large and come after the board, which stands
// still until then.
import { LazyMotion } from "motion/react";
import type { ReactNode } from "react";

const features = () => import("./motion-features").then((loaded) => loaded.default);

export function MotionFeatures({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      {children}
    </LazyMotion>
  );
}
