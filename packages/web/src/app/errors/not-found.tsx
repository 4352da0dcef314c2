import { t } from "@lingui/core/macro";
import { useLocation } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";

/** The page for an unknown path. */
export function NotFound() {
  const { pathname, search, hash } = useLocation();
  return <ErrorView error={{ statusCode: 404, message: t`Page Not Found: ${pathname}${search}${hash}` }} />;
}
