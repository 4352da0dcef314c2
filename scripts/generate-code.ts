/**
 * Writes the code and pages that building and running need and git ignores: the contract's bundle and types, the SDK's calls,
 * the server's errors, the schema of manifests, the man pages, and the docs' pages of commands, of error codes and of the SDK. Part of the
 * set-up.
 */
import { runOrExit } from "./run.ts";

runOrExit("node", ["openapi/generate.ts"]);
runOrExit("node", ["packages/sdk/generate.ts"]);
runOrExit("node", ["packages/server/generate.ts"]);
runOrExit("node", ["packages/cli/generate.ts"]);
