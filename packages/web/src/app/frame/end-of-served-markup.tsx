import { useEffect } from "react";

/** Removes the classes that style the server's markup, once the page has replaced it. */
export function EndOfServedMarkup() {
  useEffect(() => document.getElementById("root")?.classList.remove("served", "signed-in"), []);
  return null;
}
