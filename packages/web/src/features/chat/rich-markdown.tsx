import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { createContext, isValidElement, type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import { type MathPlugin, Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import { lazyPart } from "#/lib/lazy-part.ts";
import { CodePiece } from "./code-piece.tsx";
import { markMath } from "./math-marks.ts";

const LINK = /^(https?:|mailto:)/i;

function hostOf(address: string | undefined): string | null {
  return address && /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : null;
}

const InLink = createContext(false);

/**
 * A remote image would tell its host who reads the answer: it becomes a link, and nothing is fetched without a click.
 */
function Picture({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const address = typeof src === "string" ? src : undefined;
  const host = hostOf(address);
  const name = alt ? t`Picture: ${alt}` : t`Picture`;
  const inLink = useContext(InLink);
  if (inLink || host === null) return <span className="dim">[{name}]</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      <Trans>
        {name} (opens {host})
      </Trans>
    </a>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

const FormulaDrawn = lazyPart(async () => (await import("./formula-drawn.tsx")).FormulaDrawn);

function Formula({ tex, display }: { tex: string; display: boolean }) {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <FormulaDrawn tex={tex} display={display} />
    </Suspense>
  );
}

function Code({ children, className }: React.JSX.IntrinsicElements["code"]) {
  if (className?.includes("math-inline")) return <Formula tex={textOf(children)} display={false} />;
  return <code className={className}>{children}</code>;
}

function Block({ children }: { children?: ReactNode }) {
  const incomplete = useIsCodeFenceIncomplete();
  const [inner] = Array.isArray(children) ? children : [children];
  const className = isValidElement<{ className?: string }>(inner) ? (inner.props.className ?? "") : "";
  if (className.includes("math-display")) return <Formula tex={textOf(children)} display />;
  const language = /language-(\S{1,40})/.exec(className)?.[1] ?? "";
  return <CodePiece code={textOf(children).replace(/\n$/, "")} language={language} complete={!incomplete} />;
}

const COMPONENTS = {
  img: Picture,
  a: ({ href, children }: React.JSX.IntrinsicElements["a"]) =>
    href && LINK.test(href) ? (
      <a href={href} title={href} rel="noopener noreferrer nofollow" target="_blank">
        <InLink value={true}>{children}</InLink>
      </a>
    ) : (
      <span>{children}</span>
    ),
  code: Code,
  strong: ({ children }: React.JSX.IntrinsicElements["strong"]) => <strong>{children}</strong>,
  pre: Block,
  table: ({ children }: React.JSX.IntrinsicElements["table"]) => (
    <div className="wide">
      <table>{children}</table>
    </div>
  ),
};

/** Loads the plugin with the first formula; null until then. */
function useMath(wanted: boolean): MathPlugin | null {
  const [math, setMath] = useState<MathPlugin | null>(null);
  useEffect(() => {
    if (!wanted || math !== null) return;
    import("./math-plugin.ts").then(
      (loaded) => setMath(loaded.math),
      () => {}, // formulas stay as plain text
    );
  }, [wanted, math]);
  return math;
}

/**
 * Renders the Markdown of an answer, also while it is streaming. HTML is shown as text; nothing is executed or fetched.
 */
export function RichMarkdown({ text, streaming }: { text: string; streaming: boolean }) {
  const marked = markMath(text);
  const math = useMath(marked.includes("$$"));
  return (
    <Streamdown
      key={math ? t`with mathematics` : "plain"}
      components={COMPONENTS}
      controls={false}
      rehypePlugins={[]}
      linkSafety={{ enabled: false }}
      mode={streaming ? "streaming" : "static"}
      {...(math && { plugins: { math } })}
    >
      {marked}
    </Streamdown>
  );
}
