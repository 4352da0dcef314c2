import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { Dialog } from "#/components/ui/dialog.tsx";
import { storage } from "#/lib/storage.ts";

/** What happens on any page: an `error` in the address is shown, a `referrer` is kept, and both leave the address. */
export function RootBehaviours() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    const params = new URLSearchParams(search);
    const message = params.get("error");
    const referrer = params.get("referrer");
    if (message === null && referrer === null) return;
    if (message) setError(message);
    if (referrer) storage.set("referralCode", referrer);
    params.delete("error");
    params.delete("referrer");
    const rest = params.toString();
    navigate(`${pathname}${rest ? `?${rest}` : ""}${hash}`, { replace: true });
  }, [pathname, search, hash, navigate]);

  return (
    <Dialog open={error !== null} onClose={() => setError(null)} title="Error" description={error}>
      <div className="actions">
        <button type="button" className="btn primary" onClick={() => setError(null)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
