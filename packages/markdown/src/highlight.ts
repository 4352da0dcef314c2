import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const lowlight = createLowlight({ bash, ini, json, nginx, python, typescript, yaml });
lowlight.registerAlias({
  bash: ["sh", "shell", "curl", "cli"],
  typescript: ["ts", "js"],
  python: ["py"],
  yaml: ["yml"],
});

/** A piece of code with its highlight.js class (`string`, `comment` …), or null for plain text. */
export type Token = { text: string; kind: string | null };

/** Splits code into highlighted tokens; one plain token if the language is unknown. */
export function highlightCode(code: string, language: string): Token[] {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return [{ text: code, kind: null }];
  const tokens: Token[] = [];
  const visit = (nodes: ReturnType<typeof lowlight.highlight>["children"], kind: string | null): void => {
    for (const node of nodes) {
      if (node.type === "text") tokens.push({ text: node.value, kind });
      if (node.type === "element") {
        const [first] = Array.isArray(node.properties.className) ? node.properties.className : [];
        visit(node.children, typeof first === "string" ? first.replace(/^hljs-/, "") : kind);
      }
    }
  };
  visit(lowlight.highlight(name, code).children, null);
  return tokens;
}
