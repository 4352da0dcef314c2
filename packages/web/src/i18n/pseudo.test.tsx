import { http } from "@feather/sdk/msw";
import { buildApiKey, buildPage, buildUser } from "@feather/testing/builders";
import { cleanup, waitFor } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { storage } from "#/lib/browser/storage.ts";
import { activateLocale } from "#/lib/preferences/language.ts";
import { i18n } from "./runtime.ts";

// Modules with texts are loaded after the language, as in the site.
beforeAll(async () => {
  storage.set("locale", "pseudo");
  await activateLocale();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const key = buildApiKey({ name: "@laptop", created_by_name: "@", last_used_at: null });
const START = "2026-11-21T00:00:00Z";
const HANDLERS = [
  http.auth.me({
    ...buildUser({ email: "@", username: "@", name: "@", organizationName: "@" }),
    permissions: ["manage_keys"],
  }),
  http.apiKeys.list(buildPage([key])),
  http.models.list(buildPage([])),
  http.usage.activity.report({ start_date: START, end_date: START, items: [] }),
  http.subscription.plans({ items: [] }),
];

type Page = { default: ComponentType };
const PAGES: [path: string, page: () => Promise<Page>][] = [
  ["/register", () => import("#/app/routes/auth/register.tsx")],
  ["/reset-password", () => import("#/app/routes/auth/reset-password.tsx")],
  ["/account/api-keys", () => import("#/app/routes/account/api-keys.tsx")],
  ["/cline", () => import("#/app/routes/landing/cline.tsx")],
  ["/sponsorship", () => import("#/app/routes/landing/sponsorship.tsx")],
  ["/admin/models/create", () => import("#/app/routes/admin/models/model-create.tsx")],
];

/** Words that are not translated: code, product names and server responses. */
const IGNORED_WORDS =
  /https?:\S+|\b(Apache|Authorization|Base|Bearer|Cline|Feather|MIT|OpenAI|Compatible|Roo Code|VS Code|JetBrains|api|URL|curl|TypeScript)\b|\w*[_/@.]\w+|\$\w+/g;

function visibleTexts(root: ParentNode): string[] {
  const texts = [...root.querySelectorAll("*")]
    .filter(
      (element) => element.closest("code, pre, kbd, script, style, .mono, .user-text, option[value*='/']") === null,
    )
    .flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map((node) => node.textContent),
      ...["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name)),
    ]);
  return texts.flatMap((text) => (text === null ? [] : [text.trim()]));
}

test.each(PAGES)(
  "%s shows no untranslatable text",
  async (path, load) => {
    const { renderPage } = await import("#/testing/page.tsx");
    const { default: Page } = await load();
    const { container } = renderPage(<Page />, path, path, HANDLERS);
    await waitFor(() => expect(visibleTexts(container).join("").length).toBeGreaterThan(60));
    await new Promise((settled) => setTimeout(settled, 50));
    const plain = visibleTexts(document.body).filter((text) =>
      /\b[A-Za-z]{3,}\b/.test(text.replace(IGNORED_WORDS, "")),
    );
    expect(plain).toEqual([]);
  },
  120_000,
); // whole pages are loaded for it

test("the document has the language, and route titles are translated", async () => {
  expect(document.documentElement.lang).toBe("pseudo");
  expect(document.documentElement.dir).toBe("ltr");
  const { ROUTES } = await import("#/config/routes.ts");
  const plain = ROUTES.map(({ title }) => i18n._(title)).filter((title) => /\b[A-Za-z]{3,}\b/.test(title));
  expect(plain).toEqual([]);
});
