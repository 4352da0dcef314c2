import { Suspense } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";

const Rendered = lazyPart(async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer);

/** Markdown from models and people, made harmless. The renderer is loaded when the first text is shown. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    <div className="prose">
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <Rendered text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
}
