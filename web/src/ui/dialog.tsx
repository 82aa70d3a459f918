// A dialog: a moulded card in the middle of a wide screen, a sheet from below on a phone. Its code is fetched when one
// is opened first.
import { lazy, type ReactNode, Suspense, useState } from "react";

const DialogCard = lazy(() => import("./dialog-card"));

export interface DialogProps {
  open: boolean;
  /** Escape, the cross, or a press beside the dialog. Without it the dialog can only be answered. */
  onClose?: () => void;
  title: string;
  description?: ReactNode;
  /** Seen above the title. */
  picture?: ReactNode;
  children?: ReactNode;
  className?: string;
}

export function Dialog(props: DialogProps) {
  // It stays to put the focus back when it is closed.
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return (
    wanted && (
      <Suspense>
        <DialogCard {...props} />
      </Suspense>
    )
  );
}
