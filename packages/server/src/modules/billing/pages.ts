import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** Text that is HTML already. Made by `html` only. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | null;

/** HTML of a template, in which everything that comes from elsewhere is escaped. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((all, text, index) => all + rendered(parts[index - 1] ?? null) + text));
}

function rendered(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
h2 { font-size: 1rem; margin: 2rem 0 0.5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.45rem 0; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
tfoot tr:last-child { font-weight: 600; }
form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin: 1rem 0; }
td form { display: inline-flex; margin: 0 0 0 0.6rem; }
label { display: grid; gap: 0.25rem; flex: 1 1 16rem; }
input { font: inherit; padding: 0.5rem; }
button { font: inherit; padding: 0.5rem 1rem; cursor: pointer; }
.test { border: 1px solid #a60; padding: 0.5rem 0.75rem; margin: 0 0 1.5rem; }
.fault { border-left: 3px solid #c22; padding-left: 0.75rem; }
.quiet { opacity: 0.75; }
@media print { body { margin: 0; } }
`;

const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Sends a page that has neither scripts nor anything from elsewhere. */
export function sendPage(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
${body}
</body>
</html>
`;
  return reply
    .headers({
      "content-security-policy": CSP,
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    })
    .type("text/html; charset=utf-8")
    .send(page.text);
}
