// Which code comes in which file: React, one that every page needs, one for what several games' pages share, and
// one of its own for each page. Fewer and larger files are there sooner than many small ones.
import type { Plugin } from "vite";

type Modules = ThisParameterType<Extract<NonNullable<Plugin["buildEnd"]>, () => unknown>>;

const PAGE = /\/src\/(games\/[^/]+|host)\/page\.tsx$/;
/** Only some boards move by it, and most of it is fetched after them: which part, the bundler knows best. */
const APART =
  /node_modules\/(motion|motion-dom|motion-utils|framer-motion)\/|\/src\/ui\/motion[^/]*$/;

/** Makes errors while it is read, which has what stands in its file parsed once more wherever somebody listens for them. */
const REACT = /node_modules\/(react|react-dom|scheduler)\//;
/** Opened when somebody asks for it: menus and dialogs. */
const CARD = /\/src\/ui\/[^/]+-card\.tsx$/;

let sorted = new Map<string, string>();

/** The bundler's own few lines come with what is there first. */
export const chunkOf = (id: string): string | null =>
  sorted.get(id) ?? (id.includes("rolldown/runtime") ? "react" : null);

export const chunks = (): Plugin => ({
  name: "parlour-chunks",
  apply: "build",
  buildEnd() {
    sorted = sort(this);
  },
});

function sort(modules: Modules): Map<string, string> {
  const ids = [...modules.getModuleIds()];
  const entry = ids.filter((id) => modules.getModuleInfo(id)?.isEntry);
  const everywhere = reach(entry, modules);
  const pages = new Map<string, string[]>();
  for (const page of ids.filter((id) => PAGE.test(id))) {
    for (const id of reach([page], modules)) pages.set(id, [...(pages.get(id) ?? []), page]);
  }
  const cards = reach(
    ids.filter((id) => CARD.test(id)),
    modules,
  );
  const found = new Map<string, string>();
  for (const id of ids) {
    const [page, ...others] = pages.get(id) ?? [];
    if (APART.test(id)) continue;
    if (REACT.test(id)) found.set(id, "react");
    else if (everywhere.has(id)) found.set(id, "parlour");
    else if (cards.has(id)) found.set(id, "cards");
    else if (others.length > 0) found.set(id, "table");
    else if (page) found.set(id, page.split("/").at(-2) ?? page);
  }
  return found;
}

/** These and all that they cannot start without. */
function reach(from: readonly string[], modules: Modules): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const other of modules.getModuleInfo(id)?.importedIds ?? []) add(other);
  };
  from.forEach(add);
  return found;
}
