/** Returns the initials of a name, two letters at most. */
export const getInitials = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .map((part) => part.charAt(0).toUpperCase())
    .slice(0, 2)
    .join("");
