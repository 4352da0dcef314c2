import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./markdown.module.css";

const LazyMarkdownRenderer = lazyComponent(async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer);

/**
 * Untrusted Markdown, rendered safely. The renderer is loaded when the first text is shown; until then the source is.
 */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className={styles.source}>{text}</p>}>
        <LazyMarkdownRenderer text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
}
