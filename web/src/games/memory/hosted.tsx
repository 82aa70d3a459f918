// Memory at the host's table: how its games are told there.
import type { Side } from "@/table/kit";
import { hosted } from "../game";
import { Board, type View } from "./board";
import { HostTable } from "./host-table";
import { back } from "./kit";
import { stepInWords } from "./shown";
import { CardSymbol } from "./symbols";

/** For pictures: both play with the same cards. */
const side = (name: string, pairId: number): Side => ({
  name,
  color: "green",
  Token: ({ className = "" }) => <CardSymbol pairId={pairId} className={className} />,
});

export default hosted<View, number>({
  ratio: 1,
  back,
  sides: [side("one", 4), side("the other", 9)],
  Board: (props) => <Board {...props} aiming={false} spectacle={null} />,
  Table: HostTable,
  // Its rules are drawn by rules.tsx, whichever line it is played over.
  rules: [],
  told: stepInWords,
  // The table tells how it ended by the pairs.
  endings: {},
  reasons: {},
});
