import { groups } from "virtual:contract";
import { t } from "@lingui/core/macro";

/** The API reference's entries in the navigation of the docs. */
export const REFERENCE_NAV = {
  title: t`API reference`,
  links: [
    { label: t`Overview`, to: "/docs/api" },
    ...groups.map(({ name, slug }) => ({ label: name, to: `/docs/api/${slug}` })),
  ],
};
