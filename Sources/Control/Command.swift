import WallCore
