import { readFile } from "node:fs/promises";

/** Returns the `model_type` in a model's `config.json`; empty if it cannot be read. */
export async function readModelType(file: string): Promise<string> {
  try {
    const config: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof config === "object" && config !== null && "model_type" in config ? String(config.model_type) : "";
  } catch {
    return ""; // the program that runs the model will say what is wrong with it
  }
}
