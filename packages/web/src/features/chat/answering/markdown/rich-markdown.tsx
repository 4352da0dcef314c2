import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import {
  createContext,
  isValidElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { type MathPlugin, Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { Citation } from "../citations/citation.tsx";
import { citationPlugin } from "../citations/citation-plugin.ts";
import { CitationsContext } from "../citations/citations-context.ts";
import { CodeBlock } from "./code-block.tsx";
import { normalizeMath } from "./math-delimiters.ts";

const SAFE_LINK = /^(https?:|mailto:)/i;

function hostOf(address: string | undefined): string | null {
  return address && /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : null;
}

const InLinkContext = createContext(false);

/**
 * A remote image would tell its host who reads the answer, so it becomes a link: nothing is fetched without a click.
 */
function RemoteImage({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const address = typeof src === "string" ? src : undefined;
  const host = hostOf(address);
  const name = alt ? t`Picture: ${alt}` : t`Picture`;
  const inLink = useContext(InLinkContext);
  if (inLink || host === null) return <span className="faint">[{name}]</span>;
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

const FormulaDrawn = lazyComponent(async () => (await import("./rendered-formula.tsx")).RenderedFormula);

function Formula({ tex, display }: { tex: string; display: boolean }) {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <FormulaDrawn tex={tex} display={display} />
    </Suspense>
  );
}

function InlineCode({ children, className }: React.JSX.IntrinsicElements["code"]) {
  if (className?.includes("math-inline")) return <Formula tex={textOf(children)} display={false} />;
  return <code className={className}>{children}</code>;
}

function FencedCode({ children }: { children?: ReactNode }) {
  const incomplete = useIsCodeFenceIncomplete();
  const [child] = Array.isArray(children) ? children : [children];
  const className = isValidElement<{ className?: string }>(child) ? (child.props.className ?? "") : "";
  if (className.includes("math-display")) return <Formula tex={textOf(children)} display />;
  const language = /language-(\S{1,40})/.exec(className)?.[1] ?? "";
  return <CodeBlock code={textOf(children).replace(/\n$/, "")} language={language} isComplete={!incomplete} />;
}

const MARKDOWN_COMPONENTS = {
  img: RemoteImage,
  a: ({ href, children }: React.JSX.IntrinsicElements["a"]) =>
    href && SAFE_LINK.test(href) ? (
      <a href={href} title={href} rel="noopener noreferrer nofollow" target="_blank">
        <InLinkContext value={true}>{children}</InLinkContext>
      </a>
    ) : (
      <span>{children}</span>
    ),
  cite: Citation,
  code: InlineCode,
  strong: ({ children }: React.JSX.IntrinsicElements["strong"]) => <strong>{children}</strong>,
  pre: FencedCode,
  table: ({ children }: React.JSX.IntrinsicElements["table"]) => (
    <div className="wide">
      <table>{children}</table>
    </div>
  ),
};

/** Loads the plugin with the first formula; null until then. */
function useMathPlugin(isNeeded: boolean): MathPlugin | null {
  const [math, setMath] = useState<MathPlugin | null>(null);
  useEffect(() => {
    if (!isNeeded || math !== null) return;
    import("./math-plugin.ts").then(
      (loaded) => setMath(loaded.math),
      () => {}, // formulas stay as plain text
    );
  }, [isNeeded, math]);
  return math;
}

/**
 * Renders the Markdown of an answer, also while it is streaming. HTML is shown as text; nothing is executed or fetched.
 */
export function RichMarkdown({ text, streaming }: { text: string; streaming: boolean }) {
  const normalized = normalizeMath(text);
  const math = useMathPlugin(normalized.includes("$$"));
  const count = useContext(CitationsContext)?.count ?? 0;
  const rehypePlugins = useMemo(
    (): [typeof citationPlugin, { count: number }][] => (count === 0 ? [] : [[citationPlugin, { count }]]),
    [count],
  );
  return (
    <Streamdown
      key={math ? t`with mathematics` : "plain"}
      components={MARKDOWN_COMPONENTS}
      controls={false}
      rehypePlugins={rehypePlugins}
      linkSafety={{ enabled: false }}
      mode={streaming ? "streaming" : "static"}
      {...(math && { plugins: { math } })}
    >
      {normalized}
    </Streamdown>
  );
}
