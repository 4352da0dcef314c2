// Starts a worker, see `src/start/workers.ts`.
import "./code-cache.js";

await import("../src/worker.ts");
