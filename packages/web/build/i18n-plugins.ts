import { fileURLToPath } from "node:url";
import { makeConfig } from "@lingui/conf";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import type { PluginOption } from "vite";
import config from "../lingui.config.ts";
import { inlineMessages } from "./inline-messages.ts";

const WEB_FOLDER = fileURLToPath(new URL("..", import.meta.url));
const CONFIG_FILE = fileURLToPath(new URL("../lingui.config.ts", import.meta.url));

/** Vite plugins that compile Lingui's macros, with the English messages inline, and the catalogues of other languages. */
export function i18nPlugins(): PluginOption[] {
  const linguiConfig = makeConfig(config, { skipValidation: true });
  const macros = linguiTransformerBabelPreset(
    { linguiConfig, descriptorFields: "message" },
    { configPath: CONFIG_FILE },
  );
  const preset = { plugins: [...macros.preset.plugins, inlineMessages] };
  // Babel finds the macros of the preset from this folder, wherever the build was started.
  const cwd = WEB_FOLDER;
  return [
    babel({ cwd, presets: [{ ...macros, preset }] }),
    lingui({ configPath: CONFIG_FILE, failOnCompileError: true }),
  ];
}
