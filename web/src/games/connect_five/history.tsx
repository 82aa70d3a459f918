// The Connect Five matches one finished, for the page of all games played.
import { Played } from "./played";
import { StonePaints } from "./stone";

export default function ConnectFiveHistory() {
  return (
    <>
      <StonePaints />
      <Played />
    </>
  );
}
