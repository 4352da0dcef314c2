import { Link } from "react-router-dom";
import { Logo } from "#/components/ui/bits.tsx";
import { productName } from "#/lib/product.ts";

const COLUMNS = [
  {
    title: "Product",
    links: [
      ["Models", "/models"],
      ["Chat", "/chat"],
      ["Pricing", "/pricing"],
      ["Status", "/status"],
    ],
  },
  {
    title: "Build",
    links: [
      ["Docs", "/docs/quickstart"],
      ["API reference", "/docs/api"],
      ["CLI", "/docs/cli"],
      ["SDK", "/docs/sdk"],
    ],
  },
  {
    title: "Use with",
    links: [
      ["Cline", "/cline"],
      ["Roo Code", "/roo-code"],
      ["OpenAI SDK", "/openai"],
      ["DeepSeek", "/deepseek"],
    ],
  },
  {
    title: "About",
    links: [
      ["Blog", "/blog"],
      ["Privacy", "/privacy"],
      ["Terms", "/terms"],
      ["Cookies", "/cookie-policy"],
    ],
  },
] as const;

export function Footer() {
  return (
    <footer className="foot">
      <div className="wrap">
        <div>
          <Link className="brand" to="/" style={{ color: "var(--ink)" }}>
            <Logo />
            {productName()}
          </Link>
          <p className="mt-3" style={{ maxWidth: "26ch" }}>
            Browse, host and call open language models, on your own machines.
          </p>
        </div>
        {COLUMNS.map(({ title, links }) => (
          <div key={title}>
            <p className="label">{title}</p>
            <ul>
              {links.map(([label, to]) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </footer>
  );
}
