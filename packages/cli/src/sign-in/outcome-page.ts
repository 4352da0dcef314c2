/** The outcome of a sign-in, for the page in the browser. */
export type SignInOutcome = { readonly name: string } | "refused" | "failed" | "unknown";

const MESSAGES = {
  refused: ["Not signed in", "You refused, so the terminal got nothing. You can close this window."],
  failed: ["Not signed in", "Something went wrong; the terminal says what. You can close this window."],
  unknown: ["Nothing waits here", "This page belongs to a sign-in that is over, or to another one. You can close it."],
} as const;

/** Renders the last page of a sign-in by browser. It loads no other resources. */
export function renderOutcomePage(outcome: SignInOutcome): string {
  const [title, text] =
    typeof outcome === "string"
      ? MESSAGES[outcome]
      : ["You are signed in", `The terminal goes on as ${outcome.name}. You can close this window.`];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} - Feather</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#faf9f5, #14161f);
    color: light-dark(#1c2033, #e9e8e3); font: 16px/1.5 system-ui, sans-serif }
  main { width: min(420px, 100% - 48px); padding-block: 48px; overflow-wrap: anywhere }
  h1 { margin: 0 0 8px; font: 450 32px/1.15 Newsreader, Georgia, serif; letter-spacing: -0.015em }
  p { margin: 0; opacity: 0.8 }
</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
