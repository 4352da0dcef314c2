/** Refuses imports against the layers of the server and the site, and circular imports of files and folders. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "./run.ts";

/** One import of a file of this repository by another. */
export type Import = {
  from: string;
  to: string;
  /** Whether the import is erased before the code runs. */
  isType: boolean;
  /** Whether the file is only loaded when the code reaches the `import()`. */
  isLazy: boolean;
};

const SERVER = "packages/server/src";
const WEB = "packages/web/src";
/**
 * The layers of the server, from the lowest. What a file imports is in its own layer or in a lower one. A layer consists of
 * modules; the gateway is one module.
 */
const SERVER_LAYERS = ["platform", "gateway", "money", "accounts", "chats", "hosting", "catalogue", "insight"];
/** What all modules share. Its files are imported one by one. */
const CORE = "platform/core";
/** Folders in which, at every level, files and subfolders may not import each other in a circle, by types and lazily neither. */
const FOLDERS_WITHOUT_SIBLING_CIRCLES = [
  "packages/cli/src",
  "packages/engine/src",
  "packages/sdk/src",
  SERVER,
  "packages/testing/src",
  WEB,
];
/** Tests and their helpers may import whatever they test. */
const NOT_PRODUCT = /\.test\.tsx?$|\/testing\/|\/generated\//;

/** A layer of the site: its files, and what they may import. */
type Layer = { name: string; files: RegExp; mayImport: RegExp; message: string };

const SITE_LAYERS: readonly Layer[] = [
  {
    name: "lib",
    files: new RegExp(`^${WEB}/(lib|config|i18n)/`),
    mayImport: new RegExp(`^${WEB}/(lib|config|i18n)/`),
    message: "lib/, config/ and i18n/ know nothing of components, entities and features",
  },
  {
    name: "components",
    files: new RegExp(`^${WEB}/components/`),
    mayImport: new RegExp(`^${WEB}/(lib|config|i18n|components)/`),
    message: "components/ know nothing of entities and features",
  },
  {
    name: "entities",
    files: new RegExp(`^${WEB}/entities/`),
    mayImport: new RegExp(`^${WEB}/(lib|config|i18n|components|entities)/`),
    message: "entities/ are what features share, and know none of them",
  },
  {
    name: "features",
    files: new RegExp(`^${WEB}/features/`),
    mayImport: new RegExp(`^${WEB}/(lib|config|i18n|components|entities)/`),
    message: "a feature imports no other feature; what they share belongs to entities/",
  },
];

/** Returns why an import is refused; null if it is allowed. */
export function refusalOf({ from, to }: Import): string | null {
  const owner = packageOf(from);
  if (owner === undefined || owner !== packageOf(to)) return null;
  return owner === SERVER ? serverRefusalOf(below(from), below(to)) : siteRefusalOf(from, to);
}

const packageOf = (path: string) => [SERVER, WEB].find((folder) => path.startsWith(`${folder}/`));
const below = (path: string) => path.slice(path.indexOf("/src/") + "/src/".length);

/** Paths are relative to the source folder of the server. */
function serverRefusalOf(from: string, to: string): string | null {
  const [folder = ""] = from.split("/");
  if (folder === "http")
    return /^(http|platform\/core)\//.test(to) ? null : "http/ imports core/ only; what it needs of modules are ports";
  if (!SERVER_LAYERS.includes(folder) || moduleOf(from) === moduleOf(to)) return null;
  if (moduleOf(from) === CORE) return "core/ is what modules share, and knows none of them";
  if (moduleOf(to) === CORE) return null;
  const [target = ""] = to.split("/");
  if (!SERVER_LAYERS.includes(target)) return "modules import modules only; what they need of the server are ports";
  if (SERVER_LAYERS.indexOf(target) > SERVER_LAYERS.indexOf(folder)) return `${target}/ stands above ${folder}/`;
  return to === `${moduleOf(to)}/index.ts` ? null : "a module imports core/, and of other modules their index.ts";
}

function siteRefusalOf(from: string, to: string): string | null {
  const layer = SITE_LAYERS.find(({ files }) => files.test(from));
  if (!layer || layer.mayImport.test(to)) return null;
  return layer.name === "features" && featureOf(from) === featureOf(to) ? null : layer.message;
}

/**
 * Returns the module of the server that a file belongs to: its first two folders; for the gateway, and for what builds a layer,
 * the layer.
 */
function moduleOf(path: string): string {
  const [layer = "", module = "", ...rest] = path.split("/");
  return layer === "gateway" || rest.length === 0 ? layer : `${layer}/${module}`;
}

/** Returns the feature that a file of the site belongs to, by its folder. */
const featureOf = (path: string) => below(path).split("/").slice(0, 2).join("/");

/** Circles in a graph: each is a list of nodes of which every one reaches every other (Tarjan's algorithm). */
export function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string) => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== index) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** Returns the imports of files of this repository in the text of one, by paths from its root. */
export function importsIn(path: string, text: string): Import[] {
  const { module, program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const toImport = (specifier: string, isType: boolean, isLazy = false): Import[] =>
    specifier.startsWith(".")
      ? [{ from: path, to: posix.join(dirname(path), specifier), isType, isLazy }]
      : specifier.startsWith("#/")
        ? [{ from: path, to: posix.join(WEB, specifier.slice(2)), isType, isLazy }]
        : [];
  const expressions: Import[] = [];
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === "Literal" && typeof source.value === "string")
        expressions.push(...toImport(source.value, false, true));
    },
    TSImportType({ source }) {
      expressions.push(...toImport(source.value, true));
    },
  }).visit(program);
  return [
    ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
      toImport(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? toImport(moduleRequest.value, isType) : [])),
    ),
    ...expressions,
  ];
}

/**
 * Returns the circles between siblings below a folder: at each level, the files and subfolders that import each other, where
 * a subfolder stands for all files in it.
 */
export function findSiblingCircles(folder: string, imports: readonly Import[]): string[][] {
  const within = imports.filter(({ from, to }) => [from, to].every((path) => path.startsWith(`${folder}/`)));
  const siblingOf = (path: string) => path.split("/", folder.split("/").length + 1).join("/");
  const subfolders = new Set(within.flatMap(({ from, to }) => [from, to].map(siblingOf)));
  return [
    ...findCircles(toGraph(within, siblingOf)),
    ...[...subfolders].flatMap((subfolder) => findSiblingCircles(subfolder, within)),
  ];
}

function toGraph(imports: readonly Import[], nodeOf: (path: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [nodeOf(from), nodeOf(to)];
    if (source === target) continue;
    const targets = edges.get(source) ?? new Set();
    edges.set(source, targets.add(target));
  }
  return edges;
}

function listImports(): Import[] {
  const listed = execFileSync("git", ["ls-files", "packages/*/src/**"], { cwd: ROOT, encoding: "utf8" });
  return listed
    .split("\n")
    .filter((path) => /\.tsx?$/.test(path) && !NOT_PRODUCT.test(path) && existsSync(join(ROOT, path)))
    .flatMap((path) => importsIn(path, readFileSync(join(ROOT, path), "utf8")));
}

function main(): void {
  const imports = listImports();
  const eager = imports.filter(({ isLazy }) => !isLazy);
  const problems = eager.flatMap((each) => {
    const refusal = refusalOf(each);
    return refusal === null ? [] : [`${each.from} imports ${each.to}: ${refusal}.`];
  });
  for (const folder of FOLDERS_WITHOUT_SIBLING_CIRCLES)
    for (const circle of findSiblingCircles(folder, imports))
      problems.push(`These import each other in a circle: ${circle.join(", ")}.`);
  const atRunTime = eager.filter(({ isType }) => !isType);
  for (const circle of findCircles(toGraph(atRunTime, (path) => path)))
    problems.push(`These files import each other in a circle: ${circle.join(", ")}.`);
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} refused imports.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();
