// Where a game begins: its box beside what one can do with it.
import type { ReactNode } from "react";
import { useTitle } from "@/core/title";
import { BoxLid } from "@/ui/box-lid";
import { Tray } from "@/ui/tray";

interface StartPageProps {
  title: string;
  /** The illustration on the box. */
  lid: ReactNode;
  children: ReactNode;
}

export function StartPage({ title, lid, children }: StartPageProps) {
  useTitle(title);
  return (
    <main className="mx-auto grid w-full max-w-5xl flex-1 content-center items-center gap-6 px-4 pb-12 wide:grid-cols-[5fr_6fr] wide:gap-12">
      <div className="mx-auto w-full max-w-44 sm:max-w-64 wide:sticky wide:top-24 wide:max-w-none wide:self-start">
        <BoxLid title={title}>{lid}</BoxLid>
      </div>
      <Tray className="flex flex-col gap-4">
        <h1 className="sr-only">{title}</h1>
        {children}
      </Tray>
    </main>
  );
}
