import { groups } from "virtual:contract";

/** The reference in the navigation of the docs. */
export const REFERENCE_NAV = {
  title: "API reference",
  links: [
    { label: "Overview", to: "/docs/api" },
    ...groups.map(({ name, slug }) => ({ label: name, to: `/docs/api/${slug}` })),
  ],
};
