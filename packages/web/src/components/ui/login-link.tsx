import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "#/config/paths.ts";

/** The way to the login and back to where the reader is. */
export function LoginLink({ className = "link", children }: { className?: string; children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Link className={className} to={paths.login(pathname + search)}>
      {children}
    </Link>
  );
}
