// A game's box as it stands on the shelf: the printed lid, its title, and what the edge says.
import type { ReactNode } from "react";

interface BoxLidProps {
  title: string;
  /** Small print, such as "2 players · 5 minutes". */
  print?: string;
  /** The illustration. */
  children: ReactNode;
}

export function BoxLid({ title, print, children }: BoxLidProps) {
  return (
    <div aria-hidden="true" className="box">
      <div className="box-face">
        {children}
        <p className="box-title">{title}</p>
        {print && <p className="box-print">{print}</p>}
      </div>
    </div>
  );
}
