import { buffer } from "node:stream/consumers";
import type { ReadLimits } from "./outcome.ts";
import { readDocument } from "./read-document.ts";

/**
 * Reads one document from standard input and writes its `Outcome` as JSON to standard output. The argument is JSON with the name
 * of the file and the limits.
 */
const { name, limits } = JSON.parse(process.argv[2] ?? "") as { name: string; limits: ReadLimits };
const outcome = await readDocument(await buffer(process.stdin), name, limits);
process.stdout.write(JSON.stringify(outcome), () => process.exit());
