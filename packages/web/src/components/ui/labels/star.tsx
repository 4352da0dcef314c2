/** One star of a rating, filled or not. */
export function Star({ filled, size = 16 }: { filled: boolean; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="m12 3.2 2.7 5.6 6.1.8-4.5 4.2 1.1 6.1-5.400-3-5.400 3 1.1-6.1L3.200 9.600l6.100-.8Z" />
    </svg>
  );
}
