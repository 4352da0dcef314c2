import { Link, useLocation, useSearchParams } from "react-router-dom";
import { changeParams } from "#/components/list/list-params.ts";

type Props = { label: string; name: string; tabs: readonly { value: string; label: string }[] };

/** Tabs of a page; the active one is in the URL, and the first one is the default. */
export function Tabs({ label, name, tabs }: Props) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const chosen = tabs.find(({ value }) => value === params.get(name)) ?? tabs[0];
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.value}
          to={{ pathname, search: changeParams(params, { [name]: tab.value }).toString() }}
          aria-current={tab === chosen ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
