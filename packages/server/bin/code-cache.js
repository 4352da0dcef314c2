import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Keeps compiled code for the next start. The build writes it for installations that the server cannot write to, where it
// runs as another user: `portable` lets that user find it.
enableCompileCache({ directory: fileURLToPath(new URL("../dist/code", import.meta.url)), portable: true });
