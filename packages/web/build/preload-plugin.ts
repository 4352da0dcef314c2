import type { HtmlTagDescriptor, Plugin } from "vite";

/** Lets browsers fetch the site together with the script that begins it, not after. */
export function preloadPlugin(): Plugin {
  return {
    name: "feather-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
        const site = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/src/app/site.tsx"));
        if (!site) return [];
        const entries = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
        return [site.fileName, ...site.imports]
          .filter((file) => !entries.has(file))
          .map(
            (file): HtmlTagDescriptor => ({
              tag: "link",
              attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
              injectTo: "head",
            }),
          );
      },
    },
  };
}
