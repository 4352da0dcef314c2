import type { Post } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildApiKey, buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ComponentType } from "react";
import { matchPath } from "react-router-dom";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Footer } from "#/components/layouts/footer.tsx";
import { ROUTES } from "#/config/routes.ts";
import { DOCS } from "#/features/content/pages.ts";
import { GUIDE_PATHS } from "#/features/landing/guide-paths.ts";
import { bodyOf, maria, neverSettles, renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import BlogPage from "./content/blog.tsx";
import BlogPostPage from "./content/blog-post.tsx";
import CookiePolicyPage from "./content/cookie-policy.tsx";
import OwnPage from "./content/own-page.tsx";
import PrivacyPage from "./content/privacy.tsx";
import TermsPage from "./content/terms.tsx";
import AboutPage from "./landing/about.tsx";
import BulkPage from "./landing/bulk.tsx";
import ClinePage from "./landing/cline.tsx";
import DeepseekPage from "./landing/deepseek.tsx";
import DeepseekPremiumPage from "./landing/deepseek-premium.tsx";
import DiscordPage from "./landing/discord.tsx";
import GuidePage from "./landing/guide.tsx";
import OpenaiPage from "./landing/openai.tsx";
import RooCodePage from "./landing/roo-code.tsx";
import SponsorshipPage from "./landing/sponsorship.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const MODEL = buildModel({ id: "Qwen/Qwen3-Coder<b>", name: "x" });
const READING = [http.models.list, http.models.stats, http.models.families, http.subscription.plans, http.posts.list];
const DATA: StubHandlers = [
  http.models.list(buildPage([MODEL])),
  http.models.stats({
    model_count: 400,
    family_count: 54,
    warm_count: 1,
    requests_24h: 0,
    release_count: 3,
    tokens_24h: 0,
  }),
  http.models.families({ items: [] }),
  http.posts.list(buildPage([])),
  http.subscription.plans({ items: [] }),
];
const SIGNED_OUT: StubHandlers = [http.auth.me(refuse(401, "unauthorized", "Sign in."))];
const SIGNED_IN: StubHandlers = [http.auth.me(maria), http.apiKeys.list(buildPage([]))];
const show = (Page: ComponentType, path: string, routes: StubHandlers = []) =>
  renderPage(<Page />, path, path, [...routes, ...DATA, ...SIGNED_OUT]);

const PAGES: [string, ComponentType][] = [
  ["/about", AboutPage],
  ["/blog", BlogPage],
  ["/bulk", BulkPage],
  ["/cline", ClinePage],
  ["/roo-code", RooCodePage],
  ["/deepseek", DeepseekPage],
  ["/deepseek-premium", DeepseekPremiumPage],
  ["/openai", OpenaiPage],
  ["/discord", DiscordPage],
  ["/guide", GuidePage],
  ["/sponsorship", SponsorshipPage],
  ["/privacy", PrivacyPage],
  ["/terms", TermsPage],
  ["/cookie-policy", CookiePolicyPage],
];

describe.each(PAGES)("%s", (path, Page) => {
  test.each([
    ["with data", DATA],
    ["when everything fails", READING.map((create) => create(refuse(500, "internal_error", "x")))],
    ["while nothing has come", READING.map((create) => create(neverSettles))],
  ] as [string, StubHandlers][])("a public page renders %s, with one heading and valid links", async (_, routes) => {
    const { container } = show(Page, path, routes);
    await waitFor(() => expect(container.querySelectorAll("h1")).toHaveLength(1));
    const links = [...container.querySelectorAll("a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
    for (const link of links) {
      const [pathname = ""] = link.split(/[?#]/);
      expect(
        ROUTES.some((route) => route.path !== "/:slug" && matchPath(route.path, pathname)),
        link,
      ).toBe(true);
    }
    expect(container.querySelector("b")).toBeNull();
  });
});

describe("pages of coding assistants", () => {
  test.each([
    ["Cline", ClinePage, "/cline"],
    ["Roo Code", RooCodePage, "/roo-code"],
  ] as [string, ComponentType, string][])(
    "%s gets the URL of this server and a key of its own",
    async (name, Page, path) => {
      let made: Record<string, string> | undefined;
      show(Page, path, [
        http.apiKeys.create(async ({ request }) => {
          made = await bodyOf(request);
          return { ...buildApiKey({ name }), secret: "rc_secret" };
        }),
        ...SIGNED_IN,
      ]);
      expect(screen.getByText(`${location.origin}/v1`)).toBeTruthy();
      await userEvent.click(await screen.findByRole("button", { name: `Make a key for ${name}` }));
      expect(await screen.findByText("rc_secret")).toBeTruthy();
      expect(made).toEqual({ name });
      expect((await screen.findByRole("combobox", { name: "Model ID" })).textContent).toMatch(
        /Qwen3-Coder<b> \(warm\)/,
      );
    },
  );

  test("the page of a coding assistant shows why a key cannot be created", async () => {
    show(ClinePage, "/cline", [
      http.apiKeys.create(refuse(409, "api_keys.limit_reached", "The plan Lite allows 2 keys.")),
      ...SIGNED_IN,
    ]);
    await userEvent.click(await screen.findByRole("button", { name: "Make a key for Cline" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The plan Lite allows 2 keys.");
  });

  test("the page of a coding assistant returns a visitor to itself after signing up", async () => {
    show(ClinePage, "/cline");
    const link = await screen.findByRole("link", { name: "Sign up for a key" });
    expect(link.getAttribute("href")).toMatch(/^\/register\?returnTo=/);
  });

  test("the page of a coding assistant offers no model that is offline, and says where one comes from", async () => {
    const offline = { tier: "offline" as const };
    const model = buildModel({ id: "tencent/Hy4-preview" });
    const listed = buildPage([{ ...model, availability: { ...model.availability, ...offline } }]);
    show(ClinePage, "/cline", [http.models.list(listed)]);
    expect(await screen.findByText(/No model that takes tools runs here yet/)).toBeTruthy();
    expect(screen.queryByRole("combobox", { name: "Model ID" })).toBeNull();
    expect(screen.getByRole("link", { name: "Choose one and ask its operator for it" })).toBeTruthy();
  });

  test("the page of a coding assistant says that the catalogue has no model with tool use", async () => {
    show(ClinePage, "/cline", [http.models.list(buildPage([]))]);
    expect(await screen.findByText("The catalogue of this server holds none that takes tools.")).toBeTruthy();
    expect(await screen.findByText("None yet")).toBeTruthy();
  });
});

test("the sponsorship page creates a letter from the form, and sends nothing", async () => {
  const { requests } = show(SponsorshipPage, "/sponsorship");
  await userEvent.click(screen.getByRole("button", { name: "Write the letter" }));
  expect((await screen.findAllByText(/is not valid/)).length).toBe(4);
  await userEvent.type(screen.getByLabelText("Project"), "<i>Roost");
  await userEvent.type(screen.getByLabelText("Repository"), "https://code.example/roost");
  await userEvent.type(screen.getByLabelText("Licence"), "MIT");
  await userEvent.type(screen.getByLabelText("What for"), "Translate what people write to us.");
  await userEvent.click(screen.getByRole("button", { name: "Write the letter" }));
  expect(await screen.findByText(/open-source project <i>Roost/)).toBeTruthy();
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("links to the operator's community, or tells that there is none", async () => {
  const config = {
    ...SITE_CONFIG,
    contact_email: "help@example.com",
    community_url: "https://chat.example.com/",
  };
  show(DiscordPage, "/discord", [http.system.config(config), ...SIGNED_IN]);
  const link = await screen.findByRole("link", { name: "Go to the community" });
  expect(link.getAttribute("href")).toBe("https://chat.example.com/");
  expect(screen.getByRole("link", { name: "Write to the operator" }).getAttribute("href")).toBe(
    "mailto:help@example.com",
  );
  show(DiscordPage, "/discord", SIGNED_IN);
  expect(await screen.findByRole("heading", { name: "This server has no community page" })).toBeTruthy();
});

test("shows only admins how to link their Discord", async () => {
  show(DiscordPage, "/discord", [http.auth.me({ ...maria, is_admin: true })]);
  expect(await screen.findByText(/For admins/)).toBeTruthy();
  show(DiscordPage, "/discord", SIGNED_IN);
  expect(screen.queryByText(/For admins/)).toBeNull();
});

test("the guide leads to pages that are there", () => {
  const slugs = new Set(DOCS.map(({ slug }) => slug));
  for (const { links } of GUIDE_PATHS)
    for (const [, to] of links)
      if (/^\/docs\/(?!api$)/.test(to)) expect(slugs, to).toContain(to.slice("/docs/".length));
});

const POST: Sent<Post> = {
  slug: "launch",
  title: "Launch <b>",
  description: "It is there.",
  author: "Ada",
  tags: ["news"],
  published_at: "2026-12-01T08:00:00Z",
  text: "## First\n\nWords.\n\n<script>alert(1)</script>",
};
const OTHER = { ...POST, slug: "other", title: "Other", author: null, published_at: "2026-11-01T08:00:00Z" };
const bySlug = (post: Sent<Post>) => ({ params: { slug: post.slug } });
const noPost = refuse(404, "content.not_found", "There is no post or page at this address.");
const BLOG: StubHandlers = [http.posts.list(buildPage([POST, OTHER])), http.posts.get(POST, bySlug(POST))];

describe("the blog", () => {
  test("the blog lists posts as they come, with their day and author, and offers its feed", async () => {
    show(BlogPage, "/blog", BLOG);
    const headings = await screen.findAllByRole("heading", { level: 2 });
    expect(headings.map((heading) => heading.textContent)).toEqual(["Launch <b>", "Other"]);
    expect(screen.getByText("2026-12-01")).toBeTruthy();
    expect(screen.getAllByText("Ada")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Follow by RSS" })).toBeTruthy();
  });

  test("the blog tells that there are no posts, and offers no feed then", async () => {
    show(BlogPage, "/blog", [http.posts.list(buildPage([]))]);
    expect(await screen.findByText("There are no posts yet.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Follow by RSS" })).toBeNull();
  });

  test("the blog asks for the page and the tag of its address", async () => {
    const { requests } = renderPage(<BlogPage />, "/blog", "/blog?tag=news&page=2", [...BLOG, ...SIGNED_OUT]);
    expect(await screen.findByText(/Posts about news/)).toBeTruthy();
    const { searchParams } = new URL(
      requests.find(({ url }) => url.includes("/posts"))?.url ?? "",
      "https://x.example",
    );
    expect([searchParams.get("tag"), searchParams.get("page")]).toEqual(["news", "2"]);
  });

  test("links to the blog in the footer are marked, so that they are hidden while there are no posts", () => {
    renderPage(<Footer />, "/about", "/about");
    expect(screen.getByRole("link", { name: "Blog" }).parentElement?.className).toBe("with-posts");
    expect(screen.getByRole("link", { name: "RSS" }).className).toBe("with-posts");
  });

  test("the blog shows a post with its date, author and tags, and the next one, and runs no scripts", async () => {
    const { container } = renderPage(<BlogPostPage />, "/blog/*", "/blog/launch", [...BLOG, ...SIGNED_OUT]);
    expect(await screen.findByRole("heading", { level: 1, name: POST.title })).toBeTruthy();
    expect(await screen.findByRole("heading", { level: 2, name: /First/ })).toBeTruthy();
    expect(screen.getByText("2026-12-01")).toBeTruthy();
    expect(screen.getByRole("link", { name: "news" }).getAttribute("href")).toBe("/blog?tag=news");
    expect(container.querySelector("script")).toBeNull();
    const more = await screen.findByRole("navigation", { name: "More posts" });
    expect(within(more).getByRole("link").getAttribute("href")).toBe("/blog/other");
  });

  test("the blog shows a 404 for a post that is not there", async () => {
    renderPage(<BlogPostPage />, "/blog/*", "/blog/none", [
      http.posts.list(buildPage([POST])),
      http.posts.get(noPost, { params: { slug: "none" } }),
      ...SIGNED_OUT,
    ]);
    expect(await screen.findByText("Not found")).toBeTruthy();
  });
});

describe("a page of the operator", () => {
  test("is shown at its address, and unknown addresses show a 404", async () => {
    const imprint = { ...POST, slug: "imprint", title: "Imprint" };
    renderPage(<OwnPage />, "/:slug", "/imprint", [http.pages.get(imprint, bySlug(imprint)), ...SIGNED_OUT]);
    expect(await screen.findByRole("heading", { level: 1, name: "Imprint" })).toBeTruthy();
    expect(await screen.findByText("Words.")).toBeTruthy();
    cleanup();
    renderPage(<OwnPage />, "/:slug", "/none", [http.pages.get(noPost, { params: { slug: "none" } }), ...SIGNED_OUT]);
    expect(await screen.findByText("Not found")).toBeTruthy();
    expect(screen.getByText("Page Not Found: /none")).toBeTruthy();
  });
});

test.each([PrivacyPage, TermsPage, CookiePolicyPage])(
  "legal pages state that the operator must adapt them",
  async (Page) => {
    show(Page, "/terms");
    expect(await screen.findByText(/This is a template/)).toBeTruthy();
  },
);
