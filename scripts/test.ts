/** Runs every suite. Arguments go to Vitest: `npm test -- --project server`. */
import { run } from "./run.ts";

process.exit(run("vitest", ["run", ...process.argv.slice(2)]) ? 0 : 1);
