#!/usr/bin/env bash
# node-llama-cpp passes the arguments of a past tool call to templates that write one tag for each argument as the value of one
# argument `params`, which the tool does not have. The model reads a call that it never made.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional node-llama-cpp@3.22.1

cat >check.mjs <<'JS'
import { readFileSync } from "node:fs";
import { JinjaTemplateChatWrapper } from "node-llama-cpp";

// The way in which Qwen3-Coder, GLM, MiniMax and others write calls, as short as possible.
const template = `{%- for message in messages %}{{- '<' + message.role + '>' }}{{- message.content or '' }}
{%- for call in message.tool_calls or [] %}{{- '\n<function=' + call.function.name + '>' }}
{%- for name, value in call.function.arguments.items() %}{{- '\n<parameter=' + name + '>' }}
{{- value if value is string else value | tojson }}{{- '</parameter>' }}{%- endfor %}{{- '\n</function>' }}{%- endfor %}
{{- '</' + message.role + '>\n' }}{%- endfor %}{%- for tool in tools or [] %}{{- tool | tojson }}{%- endfor %}`;

const wrapper = new JinjaTemplateChatWrapper({ template });
const { contextText } = wrapper.generateContextState({
  chatHistory: [
    { type: "user", text: "The weather?" },
    {
      type: "model",
      response: [{ type: "functionCall", name: "get_weather", params: { city: "Paris", days: 2 }, result: "Sunny" }],
    },
  ],
  availableFunctions: {
    get_weather: {
      params: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
    },
  },
});
const prompt = contextText.toString();
const { version } = JSON.parse(readFileSync("node_modules/node-llama-cpp/package.json", "utf8"));
console.log(`node-llama-cpp ${version}, a call of get_weather with {"city": "Paris", "days": 2}`);
console.log("expected: <parameter=city>Paris</parameter> and <parameter=days>2</parameter>");
console.log(`seen:\n${prompt}`);
const isWrapped = prompt.includes("<parameter=params>") && !prompt.includes("<parameter=city>");
console.log(isWrapped ? "The arguments are wrapped in params." : "The behaviour has changed.");
process.exitCode = isWrapped ? 0 : 1;
JS
node check.mjs
