/** Writes the factories of all errors of the contract. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readErrors } from "@feather/openapi/errors";
import { renderFactories } from "./src/platform/core/errors/render-factories.ts";

const entries = readErrors().flatMap(({ errors }) => errors);
const path = fileURLToPath(new URL("src/platform/core/errors/factories.generated.ts", import.meta.url));
writeFileSync(path, renderFactories(entries));
