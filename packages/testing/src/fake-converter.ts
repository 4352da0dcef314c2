import { fileURLToPath } from "node:url";

/**
 * The command of a stand-in for llama.cpp's `convert_hf_to_gguf.py`, written from its source. It takes the same options, writes
 * the same lines and ends with the same statuses, and copies the first file with weights, which must be a GGUF file.
 */
export const FAKE_CONVERTER_COMMAND = `sh ${fileURLToPath(new URL("../bin/fake-convert-hf-to-gguf.sh", import.meta.url))}`;

/**
 * What the stand-in does with a model, by the field `fake_converter` of its config.json:
 * - `works`
 * - `waits`: converts half of it, and the rest once a file `continue` is in the folder of the output
 * - `unsupported`: does not know the architecture
 * - `out_of_space`: fails in the middle
 * - `writes_nothing`: ends with exit code 0, without a file
 * - `looks_around`: writes its environment and the visible part of the data folder in place of a model
 */
export type FakeConverterMode = "works" | "waits" | "unsupported" | "out_of_space" | "writes_nothing" | "looks_around";
