import { Link } from "react-router-dom";

/** A page that has its address but is not built yet, and says so. */
export function Later({ title }: { title: string }) {
  return (
    <div
      className="wrap"
      style={{ paddingBlock: "var(--s-7) var(--s-8)", width: "min(var(--page), 100% - 2 * var(--s-4))" }}
    >
      <h1 className="h2">{title.split(" > ").at(-1)}</h1>
      <p className="mid mt-3" style={{ maxWidth: "56ch" }}>
        This page is not built yet. Its address is settled, so links to it will work once it is.
      </p>
      <Link className="btn mt-6" to="/models">
        Browse models
      </Link>
    </div>
  );
}
