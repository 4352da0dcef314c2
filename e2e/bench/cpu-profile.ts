/** Reads profiles of V8: where time is spent, and where memory is allocated. */

/** The parts of a `.cpuprofile` that are read here; times are in microseconds. */
export type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples?: number[];
  timeDeltas?: number[];
};
/** The parts of a sampled profile of the heap that are read here; sizes are in bytes. */
export type HeapProfile = { head: HeapNode };
type HeapNode = { callFrame: CallFrame; selfSize: number; children: HeapNode[] };
type CallFrame = { functionName: string; url: string; lineNumber: number };
/**
 * The time spent in a function, or in several, without the functions that they call; and its share of the time in which
 * the process was not idle.
 */
export type SelfTime = { name: string; selfMs: number; share: number };
/** The bytes that a function, or several, have allocated themselves, and their share of all. */
export type SelfSize = { name: string; bytes: number; share: number };

/** V8's name for the time in which the process waited. */
const IDLE = "(idle)";
/** A package's name, a built-in module, or a folder of the checkout. */
const PART = /^(?:@[^/]+\/[^/]+|node:[^/:]+(?:\/[^/:]+)?|packages\/[^/]+\/src\/[^/]+\/[^/:]+|[^/:]+)/;

/** Returns the functions with the most self time, most first, by name and place. */
export function listHottestFunctions(profile: CpuProfile, count: number): SelfTime[] {
  return sumSelfTimes(profile, nameFunction).slice(0, count);
}

/** Returns the packages, built-in modules and folders of the server with the most self time, most first. */
export function listHottestParts(profile: CpuProfile, count: number): SelfTime[] {
  return sumSelfTimes(profile, namePart).slice(0, count);
}

/** Returns the functions that have allocated the most, most first, by name and place. */
export function listLargestFunctions({ head }: HeapProfile): SelfSize[] {
  const bytes = new Map<string, number>();
  const open = [head];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const name = nameFunction(node.callFrame);
    bytes.set(name, (bytes.get(name) ?? 0) + node.selfSize);
    open.push(...node.children);
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return [...bytes]
    .map(([name, size]) => ({ name, bytes: size, share: size / total }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

function sumSelfTimes(
  { nodes, samples = [], timeDeltas = [] }: CpuProfile,
  toName: (frame: CallFrame) => string,
): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const selfMs = new Map<string, number>();
  let totalMs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === IDLE) continue;
    const ms = (timeDeltas[index] ?? 0) / 1000;
    const name = toName(frame);
    selfMs.set(name, (selfMs.get(name) ?? 0) + ms);
    totalMs += ms;
  }
  return [...selfMs]
    .map(([name, ms]) => ({ name, selfMs: ms, share: ms / totalMs }))
    .toSorted((a, b) => b.selfMs - a.selfMs);
}

function nameFunction(frame: CallFrame): string {
  const name = frame.functionName || "(anonymous)";
  return frame.url === "" ? name : `${name} ${shortenUrl(frame.url)}:${frame.lineNumber + 1}`;
}

function namePart({ url, functionName }: CallFrame): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native functions";
  return PART.exec(shortenUrl(url))?.[0] ?? url;
}

/** Returns what tells files apart: the path in the checkout or in a package. */
function shortenUrl(url: string): string {
  return url.replace(/^.*\/node_modules\//, "").replace(/^file:.*?\/(?=packages\/)/, "");
}
