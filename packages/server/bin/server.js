// Starts the server. This file is JavaScript, so that Node loads what reads TypeScript only for code that is not kept yet.
import "./code-cache.js";

await import("../src/main.ts");
