// What the tab says: the page, or whose turn it is.
import { useEffect } from "react";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Parlour" : `${title} · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [title]);
}
