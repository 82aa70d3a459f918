// The top of every page: home, sound, light, news, and who you are.
import { Volume2, VolumeX } from "lucide-react";
import { Link } from "wouter";
import { soundOn } from "@/core/preferences";
import { play } from "@/core/sound";
import { useStore } from "@/core/store";
import { Button } from "@/ui/button";
import { Logo } from "@/ui/logo";
import { Tooltip } from "@/ui/tooltip";
import { Account } from "./account";
import { useGameAtHand } from "./at-hand";
import { LookMenu } from "./look-menu";
import { NavMenu } from "./nav";
import { Notifications } from "./notifications";
import { RulesButton } from "./rules-button";

export function Header() {
  const game = useGameAtHand();
  return (
    <header className="mx-auto flex h-16 short:h-14 w-full max-w-350 shrink-0 items-center gap-2 px-3 max-[23.5rem]:gap-1.5 max-[23.5rem]:px-2 sm:gap-3 sm:px-6">
      <div className="mr-auto flex items-center gap-1">
        <Link href="/" className="rounded-xl px-1 py-2">
          <Logo />
        </Link>
        <NavMenu />
      </div>
      {game && <RulesButton key={game.key} game={game} />}
      <Notifications />
      <SoundSwitch />
      <LookMenu />
      <Account />
    </header>
  );
}

function SoundSwitch() {
  const on = useStore(soundOn);
  return (
    <Tooltip text={on ? "Sound is on" : "Sound is off"}>
      <Button
        size="icon"
        role="switch"
        aria-checked={on}
        aria-label="Sound"
        className="max-sm:hidden"
        onClick={() => {
          soundOn.set(!on);
          play("chime");
        }}
      >
        {on ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
      </Button>
    </Tooltip>
  );
}
