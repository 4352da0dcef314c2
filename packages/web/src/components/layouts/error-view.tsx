import { Link } from "react-router-dom";

/** What went wrong, in the form that the framework of errors gives it. */
export type PageError = { statusCode?: number; statusMessage?: string; message?: string; data?: string };

/** The words of an error: 'Not found' for 404; message and code of its data; else what the status or the error says. */
export function errorText({ statusCode, statusMessage, message, data }: PageError): string {
  if (statusCode === 404) return message?.startsWith("Page Not Found") ? message : "Not found";
  const inner = parse(data);
  if (inner) return `${inner.message} (code: ${inner.code})`;
  return statusMessage || message || "Something went wrong.";
}

function parse(data: string | undefined): { message: string; code: string } | null {
  try {
    const value = JSON.parse(data ?? "") as { message?: unknown; code?: unknown };
    return typeof value.message === "string" && typeof value.code === "string"
      ? { message: value.message, code: value.code }
      : null;
  } catch {
    return null;
  }
}

export function ErrorView({ error }: { error: PageError }) {
  return (
    <main id="content" className="wrap" style={{ paddingBlock: "var(--s-9)" }}>
      <h1 className="h1">Error {error.statusCode ?? ""}</h1>
      <p className="lede mt-4" style={{ overflowWrap: "anywhere" }}>
        {errorText(error)}
      </p>
      <Link className="btn mt-6" to="/">
        Back to home
      </Link>
    </main>
  );
}
