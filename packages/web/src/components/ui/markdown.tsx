import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";

const LazyMarkdownRenderer = lazyComponent(async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer);

/**
 * Untrusted Markdown, rendered safely. The renderer is loaded when the first text is shown; until then the source is.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    <div className="prose">
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <LazyMarkdownRenderer text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
}
