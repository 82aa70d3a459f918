// Pages for when there is nothing here, or something broke: what happened, and where to go now.
import { House, RotateCcw } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Link } from "wouter";
import { useTitle } from "@/core/title";
import { Button } from "@/ui/button";
import { Tray } from "@/ui/tray";

interface LostProps {
  title: string;
  /** What happened and what to do. */
  children: ReactNode;
  actions?: ReactNode;
}

export function Lost({ title, children, actions }: LostProps) {
  useTitle(title);
  return (
    <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 pb-16">
      <Tray className="flex flex-col gap-5">
        <TippedBox />
        <h1 className="text-4xl leading-tight">{title}</h1>
        <div className="text-lg text-soft">{children}</div>
        <div className="flex flex-col gap-3 sm:flex-row">
          {actions}
          <Button asChild className="flex-1">
            <Link href="~/">
              <House aria-hidden="true" /> Back to the shelf
            </Link>
          </Button>
        </div>
      </Tray>
    </main>
  );
}

export function NotFound() {
  return (
    <Lost title="There is nothing here">
      The address may have a typo, or the game it led to has been put away. All games are on the
      shelf.
    </Lost>
  );
}

function Broken({ error }: { error: unknown }) {
  return (
    <Lost
      title="Something fell off the table"
      actions={
        <Button color="green" className="flex-1" onClick={() => window.location.reload()}>
          <RotateCcw aria-hidden="true" /> Try again
        </Button>
      }
    >
      <p>
        This page stumbled over an error of its own. Your games are safe on the server: load the
        page again and play on.
      </p>
      <details className="mt-3">
        <summary className="cursor-pointer text-base font-bold">
          What to tell us if it stays
        </summary>
        <pre className="well mt-2 overflow-x-auto p-3 text-sm whitespace-pre-wrap">
          {error instanceof Error ? `${error.name}: ${error.message}` : String(error)}
        </pre>
      </details>
    </Lost>
  );
}

interface SafeProps {
  /** Going elsewhere leaves the error behind. */
  path: string;
  children: ReactNode;
}

interface SafeState {
  broken: { error: unknown } | null;
  path: string;
}

/** Catches what breaks inside it. */
export class Safe extends Component<SafeProps, SafeState> {
  override state: SafeState = { broken: null, path: this.props.path };

  static getDerivedStateFromError(error: unknown): Partial<SafeState> {
    return { broken: { error } };
  }

  static getDerivedStateFromProps({ path }: SafeProps, before: SafeState): SafeState | null {
    return path === before.path ? null : { broken: null, path };
  }

  override render() {
    const { broken } = this.state;
    return broken === null ? this.props.children : <Broken error={broken.error} />;
  }
}

function TippedBox() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 110" className="mx-auto w-60">
      <ellipse cx="118" cy="101" rx="108" ry="7" fill="rgb(var(--shadow-color) / .25)" />
      <g transform="rotate(-14 80 60)">
        <rect x="34" y="38" width="92" height="56" rx="8" fill="var(--color-blue-dark)" />
        <rect x="34" y="32" width="92" height="54" rx="8" fill="var(--color-blue)" />
        <path
          d="M39 42a6 6 0 0 1 6-6h66"
          fill="none"
          stroke="var(--color-blue-light)"
          strokeWidth="2.500"
          strokeLinecap="round"
        />
        <g fill="var(--color-blue-dark)">
          <circle cx="56" cy="59" r="9" />
          <circle cx="80" cy="59" r="9" />
          <circle cx="104" cy="59" r="9" />
        </g>
      </g>
      <g>
        <circle cx="156" cy="88" r="13" fill="var(--color-red-dark)" />
        <circle cx="156" cy="85" r="13" fill="var(--color-red)" />
        <circle
          cx="156"
          cy="85"
          r="6.500"
          fill="none"
          stroke="var(--color-red-light)"
          strokeWidth="3"
        />
        <circle cx="190" cy="90" r="11" fill="var(--color-yellow-dark)" />
        <circle cx="190" cy="87.500" r="11" fill="var(--color-yellow)" />
        <path
          d="m190 80.500 2 4.200 4.600.6-3.400 3.200.9 4.600-4.100-2.300-4.100 2.300.9-4.600-3.400-3.200 4.600-.6z"
          fill="var(--color-yellow-light)"
        />
        <ellipse
          cx="216"
          cy="82"
          rx="6"
          ry="14"
          transform="rotate(12 216 82)"
          fill="var(--color-red-dark)"
        />
        <ellipse
          cx="213.500"
          cy="81.500"
          rx="6"
          ry="14"
          transform="rotate(12 213.500 81.500)"
          fill="var(--color-red)"
        />
      </g>
    </svg>
  );
}
