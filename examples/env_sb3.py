"""Train a masked PPO by self-play, then let it play a random player (extra `env`, sb3-contrib).

python env_sb3.py [GAME [STEPS]]    GAME is quoridor (5x5, the default) or reversi

It takes the same steps as PettingZoo's tutorial on Stable-Baselines3 with action masks, so any of
PettingZoo's own board games can take the place of ours.
"""

import sys

import gymnasium
import torch
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

from plyground.envs import quoridor_v0, reversi_v0

GAMES = {"quoridor": lambda: quoridor_v0.env(preset="small"), "reversi": reversi_v0.env}


class SelfPlay(BaseWrapper, gymnasium.Env):
    """A PettingZoo game as a Gymnasium environment in which one learner plays both sides."""

    def reset(self, seed=None, options=None):
        """Start a game; give what its first player sees."""
        super().reset(seed, options)
        first = self.possible_agents[0]
        self.observation_space = super().observation_space(first)["observation"]
        self.action_space = super().action_space(first)
        return self.observe(self.agent_selection), {}

    def step(self, action):
        """Move; give what the next player sees, and the reward of the one who moved."""
        mover = self.agent_selection
        super().step(action)
        return (
            self.observe(self.agent_selection),
            self._cumulative_rewards[mover],
            self.terminations[mover],
            self.truncations[mover],
            self.infos[mover],
        )

    def observe(self, agent):
        """The planes, without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self):
        """The legal actions of the player to move."""
        return super().observe(self.agent_selection)["action_mask"]


def train(make_env, steps):
    """A model after that many moves of self-play."""
    env = SelfPlay(make_env())
    env.reset(seed=1)  # sets the spaces
    masked = ActionMasker(env, lambda env: env.action_mask())
    model = MaskablePPO("MlpPolicy", masked, n_steps=256, batch_size=64, seed=1, device="cpu")
    return model.learn(steps)


def play(make_env, model, games):
    """The model's rewards as player 2 against a random player."""
    env = make_env()
    rewards = []
    for game in range(games):
        env.reset(seed=game)
        env.action_space("player_1").seed(game)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            planes, mask = observation.values()
            if terminated or truncated:
                rewards.append(env.rewards["player_2"])
                break
            if agent == "player_1":
                env.step(env.action_space(agent).sample(mask))
            else:
                env.step(int(model.predict(planes, action_masks=mask, deterministic=True)[0]))
    return rewards


def main(game="quoridor", steps="256"):
    """Train and play."""
    torch.set_num_threads(1)  # the network is small
    model = train(GAMES[game], int(steps))
    model.save("model")
    rewards = play(GAMES[game], MaskablePPO.load("model", device="cpu"), 5)
    print(f"{game}: rewards of 5 games against a random player: {rewards}")


if __name__ == "__main__":
    main(*sys.argv[1:])
