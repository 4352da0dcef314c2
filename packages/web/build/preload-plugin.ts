import type { HtmlTagDescriptor, Plugin } from "vite";

/**
 * Vite plugin that preloads the site's chunks in parallel with the entry script. All scripts get a low fetch priority, so
 * that styles and fonts, which the prerendered page needs, load first.
 */
export function preloadPlugin(): Plugin {
  return {
    name: "feather-preload",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
        const site = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/src/app/site.tsx"));
        if (!site) return html;
        const entries = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
        const tags = [site.fileName, ...site.imports]
          .filter((file) => !entries.has(file))
          .map(
            (file): HtmlTagDescriptor => ({
              tag: "link",
              attrs: { rel: "modulepreload", fetchpriority: "low", crossorigin: true, href: `/${file}` },
              injectTo: "head",
            }),
          );
        return { html: html.replace('<script type="module"', '<script type="module" fetchpriority="low"'), tags };
      },
    },
  };
}
