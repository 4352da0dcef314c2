import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** Text that is HTML already. Created by the `html` tag only. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = string | number | Html | readonly Html[] | null;

/** Template tag for HTML. Escapes every value that is not HTML itself. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((all, text, index) => all + renderValue(values[index - 1] ?? null) + text));
}

function renderValue(value: HtmlValue): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// The colours of the site are copied, because these pages load no files and have to print.
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(oklch(98.6% 0.004 95), oklch(17.5% 0.016 262));
  --surface: light-dark(oklch(100% 0 0), oklch(20.5% 0.018 262));
  --ink: light-dark(oklch(24% 0.035 262), oklch(94% 0.008 262));
  --quiet: light-dark(oklch(42% 0.03 262), oklch(77% 0.015 262));
  --line: light-dark(oklch(82% 0.012 262), oklch(37% 0.02 262));
  --accent: light-dark(oklch(45% 0.155 259), oklch(76% 0.115 255));
  --on-accent: light-dark(oklch(99% 0 0), oklch(17% 0.03 262));
  --warn: light-dark(oklch(54% 0.125 66), oklch(80% 0.13 78));
  --bad: light-dark(oklch(50% 0.18 27), oklch(74% 0.145 25));
}
body { max-width: 40rem; margin: 3rem auto; padding: 0 1.25rem; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.5 system-ui, sans-serif; }
h1 { font: 460 1.75rem/1.2 "Iowan Old Style", Georgia, serif; margin: 0 0 1.5rem; }
h2 { font-size: 1rem; margin: 2rem 0 0.5rem; }
a { color: var(--accent); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; }
th { color: var(--quiet); }
td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
tfoot tr:last-child td { font-weight: 600; border-bottom: 0; }
form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin: 1.25rem 0; }
td form { display: inline-flex; margin: 0 0 0 0.75rem; }
label { display: grid; gap: 0.25rem; flex: 1 1 16rem; color: var(--quiet); }
input, button { font: inherit; height: 2.625rem; box-sizing: border-box; border: 1px solid var(--line); border-radius: 6px; }
input { padding: 0 0.75rem; background: var(--surface); color: var(--ink); font-variant-numeric: tabular-nums; }
button { padding: 0 1.25rem; background: var(--surface); color: var(--ink); cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
td button { height: 2rem; padding: 0 0.75rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.test { border-left: 3px solid var(--warn); padding-left: 0.75rem; margin: 0 0 2rem; }
.fault { border-left: 3px solid var(--bad); padding-left: 0.75rem; }
.quiet { color: var(--quiet); }
summary { cursor: pointer; }
@media print { body { margin: 0; background: none; } .screen-only { display: none; } }
`;

const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Sends a page without scripts and external resources, with a matching content security policy. */
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
