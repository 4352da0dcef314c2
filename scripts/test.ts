/** Runs all test suites. Arguments are passed to Vitest: `npm test -- --project server`. */
import { run } from "./run.ts";

process.exit(run("vitest", ["run", ...process.argv.slice(2)]) ? 0 : 1);
