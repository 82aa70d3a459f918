// What a game did to a rating: where it is now, and by how much it moved.
import { Star } from "lucide-react";
import { signed } from "@/core/played";

export function RatingLine({ by, to }: { by: number; to: number }) {
  const tone = by > 0 ? "text-text-green" : by < 0 ? "text-text-red" : "text-soft";
  return (
    <p className="well flex items-center justify-center gap-3 px-4 py-3 text-xl">
      <Star aria-hidden="true" className="size-6 text-text-gold" />
      <span className="text-base font-bold text-soft">Rating</span>
      <span className="text-display tabular">{to}</span>
      <span className={`text-display tabular ${tone}`}>{signed(by)}</span>
    </p>
  );
}
