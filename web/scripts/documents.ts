// A document for each game and page beside that of the shelf: its own title, description and picture for whoever is
// sent a link, and its code named at once, so that nothing is waited for in turn. All carry the style sheet, and what
// is to be seen until the code has come.
import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { parseAst, transformWithOxc } from "vite";

const ROOT = new URL("../", import.meta.url);
const GAMES = new URL("src/games/", ROOT);
/** The server puts in where it is: pictures are only shown by their whole address. */
const ORIGIN = "{origin}";

interface Page {
  route: string;
  title: string;
  description: string;
  /** Said until the code has come. */
  heading: string;
  below: string;
  picture: string;
  /** The modules that it cannot do without. */
  needs: readonly string[];
}

const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** The words in a game's description; its pictures and code are nothing to read here. */
async function wordsOf(game: string): Promise<Record<string, string>> {
  const path = `src/games/${game}/game.ts`;
  const { code } = await transformWithOxc(read(path), path);
  // biome-ignore lint/suspicious/noExplicitAny: a syntax tree, of which only this much is wanted
  const found = (parseAst(code) as any).body
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .flatMap((node: any) => node.declaration?.declarations ?? [])
    // biome-ignore lint/suspicious/noExplicitAny: as above
    .find((one: any) => one.id.name === "game");
  const words: Record<string, string> = {};
  for (const { key, value } of found?.init?.properties ?? []) {
    if (value?.type === "Literal" && typeof value.value === "string") words[key.name] = value.value;
    if (key?.name === "hosted") words.hosted = "yes";
  }
  for (const wanted of ["title", "tagline", "duration", "route"]) {
    if (!words[wanted]) throw new Error(`${path}: ${wanted} must be written out as text`);
  }
  return words;
}

const SHELF: Page = {
  route: "/",
  title: "Parlour",
  description: "Board games for two, on one shelf. Play a friend, a stranger or the computer.",
  heading: "What shall we play?",
  below: "Games for two. Pick a box.",
  picture: "/cards/shelf.jpg",
  needs: [],
};

/** A page that belongs to no game: what it is called, and what is found there. */
const beside = (key: string, heading: string, description: string): Page => ({
  ...SHELF,
  route: `/${key}`,
  title: `${heading} · Parlour`,
  description,
  heading,
  below: description,
  needs: [`src/pages/${key}.tsx`],
});

const BESIDE = [
  beside("sign-in", "Take a seat", SHELF.description),
  beside(
    "recover",
    "Welcome back",
    "A code from your other device opens your account here, with its games and rating.",
  ),
  beside(
    "history",
    "Games you played",
    "How each of your games ended, and what it did to your rating. Open one to see its board.",
  ),
  beside(
    "wallet",
    "Wallet",
    "What you have, and what became of it: every stake, tool and prize of Connect Five.",
  ),
];

async function pages(): Promise<Page[]> {
  const pictures = readdirSync(new URL("public/cards/", ROOT));
  const games = readdirSync(GAMES, { withFileTypes: true }).filter((each) => each.isDirectory());
  const found = games.map(async ({ name }): Promise<Page> => {
    const { title = "", tagline = "", duration, route = "", hosted } = await wordsOf(name);
    const description = `${tagline}. For two, ${duration}. Play a friend, a stranger or the computer.`;
    return {
      route,
      title: `${title} · Parlour`,
      description,
      heading: title,
      below: description,
      picture: pictures.includes(`${name}.jpg`) ? `/cards/${name}.jpg` : SHELF.picture,
      needs: hosted
        ? ["src/host/page.tsx", `src/games/${name}/hosted.tsx`]
        : [`src/games/${name}/page.tsx`],
    };
  });
  return [SHELF, ...BESIDE, ...(await Promise.all(found))];
}

function head({ route, title, description, picture }: Page): string {
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escaped(content)}" />`;
  return [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    property("type", "website"),
    property("site_name", "Parlour"),
    property("title", title),
    property("description", description),
    property("url", `${ORIGIN}${route}`),
    property("image", `${ORIGIN}${picture}`),
    property("image:width", "1200"),
    property("image:height", "630"),
    `<meta name="twitter:card" content="summary_large_image" />`,
  ].join("\n    ");
}

/** Fetched when nothing else is to be: opened, it is there, be the line down by then. */
const later = (file: string): string => `<link rel="prefetch" href="${file}" />`;

/** Where the shelf, or a game, will stand. */
const shell = ({ route, heading, below }: Page): string => `
      <div class="h-16 shrink-0"></div>
      <main class="px-2 pt-2 wide:hidden sm:px-6">
        <h1 class="px-3 ${route === "/" ? "text-3xl" : "text-5xl"} leading-tight sm:text-5xl">${escaped(heading)}</h1>
        <p class="mb-5 min-h-7 px-3 ${route === "/" ? "text-lg" : "text-xl"} text-soft sm:mb-8 sm:text-xl">${escaped(below)}</p>
      </main>
    `;

/** Where `core/session` keeps who one is. */
const SESSION = "parlour.session";

const PRELOAD = /\s*<link rel="modulepreload"[^>]*>/g;
const ENTRY = /<script type="module"[^>]* src="([^"]+)"><\/script>/;

interface Files {
  entry: string;
  /** What it cannot start without. */
  first: readonly string[];
  /** The page's own. */
  own: readonly string[];
  /** What who is not signed in sees instead of it. */
  door: readonly string[];
}

/** The code is fetched with the first frame, all of it at once: what is to be read is there before it. */
const begun = ({ entry, first, own, door }: Files): string => `<script>(() => {
      const begin = () => {
        let known = true;
        try {
          known = localStorage.getItem("${SESSION}") !== null;
        } catch {}
        const own = ${JSON.stringify([...first, ...own])};
        const door = ${JSON.stringify(own.length > 0 ? door : [])};
        for (const file of [...own, ...(known ? [] : door)]) {
          const link = document.createElement("link");
          link.rel = "modulepreload";
          link.href = file;
          document.head.append(link);
        }
        import("${entry}");
      };
      // A page that nobody looks at has no frames.
      if (document.hidden) begin();
      else requestAnimationFrame(() => setTimeout(begin));
    })()</script>
  </body>`;

const TEMPLATE = { head: "<!-- head -->", theme: "<!-- theme -->", shell: "<!-- shell -->" };

export function documents(): Plugin {
  return {
    name: "parlour-documents",
    enforce: "post",
    // Sets the theme before the first paint, so a dark room stays dark.
    transformIndexHtml: {
      order: "pre",
      handler: (html) => html.replace(TEMPLATE.theme, `<script>${read("src/theme.js")}</script>`),
    },
    async generateBundle(_options, bundle) {
      const index = bundle["index.html"];
      if (index?.type !== "asset") return;
      const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
      /** The files of a module and all that they cannot start without. */
      const needed = (modules: readonly string[]): Set<string> => {
        const files = new Set<string>();
        const add = (name: string) => {
          if (files.has(name)) return;
          files.add(name);
          const chunk = bundle[name];
          if (chunk?.type === "chunk") for (const other of chunk.imports) add(other);
        };
        for (const module of modules) {
          const chunk = chunks.find((each) =>
            each.moduleIds.some((id) => id.endsWith(`/${module}`)),
          );
          if (chunk === undefined) this.error(`${module} is in no chunk`);
          add(chunk.fileName);
        }
        return files;
      };
      let template = String(index.source);
      for (const [link, name] of template.matchAll(
        /<link rel="stylesheet"[^>]*href="\/([^"]+)">/g,
      )) {
        const sheet = bundle[name as string];
        if (sheet?.type !== "asset") continue;
        template = template.replace(link, () => `<style>${sheet.source}</style>`);
        delete bundle[name as string];
      }
      const first = needed(["src/main.tsx"]);
      const [tag, entry = ""] = ENTRY.exec(template) ?? this.error("index.html names no code");
      template = template.replace(tag, "").replaceAll(PRELOAD, "");
      const more = (modules: readonly string[]) =>
        [...needed(modules)].filter((file) => !first.has(file)).map((file) => `/${file}`);
      const door = more(["src/pages/sign-in.tsx"]);
      const cards = more(["src/ui/menu-card.tsx", "src/ui/dialog-card.tsx"]);
      for (const page of await pages()) {
        const own = more(page.needs);
        const source = template
          .replace(TEMPLATE.head, () => [head(page), ...cards.map(later)].join("\n    "))
          .replace("</body>", () =>
            begun({ entry, first: [...first].map((file) => `/${file}`), own, door }),
          )
          .replace(TEMPLATE.shell, () => shell(page));
        if (page.route === "/") index.source = source;
        else
          this.emitFile({ type: "asset", fileName: `${page.route.slice(1)}/index.html`, source });
      }
    },
  };
}
