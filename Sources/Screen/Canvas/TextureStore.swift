import Base
import CSDL2
import CYUV
import Decoded
import Scene

/// Textures for what the GPU canvas shows. Main thread only.
final class TextureStore {
    private let renderer: OpaquePointer
    private let takesPlanes: Bool
    /// Blend mode for premultiplied pixels; nil if the renderer supports straight ones only.
    private let premultiplied: SDL_BlendMode?
    /// Textures of bitmaps. A bitmap is retained, so that no other one gets its identifier.
    private var bitmaps: [ObjectIdentifier: (texture: Texture, bitmap: TextBitmap)] = [:]
    /// Bitmaps that were drawn since the last `dropUnusedBitmaps`.
    private var used: Set<ObjectIdentifier> = []

    /// A texture of the renderer. It is released before the renderer is destroyed.
    final class Texture {
        let handle: OpaquePointer
        let kind: Kind
        /// Stamp of the frame in it.
        fileprivate var stamp: Stamp?

        fileprivate init(_ handle: OpaquePointer, _ kind: Kind) { (self.handle, self.kind) = (handle, kind) }

        deinit { SDL_DestroyTexture(handle) }
    }
    struct Kind: Equatable {
        var size: Size
        var pixels: Pixels
        enum Pixels: Equatable { case planes(SDL_YUV_CONVERSION_MODE), opaque, translucent }
    }

    init(renderer: OpaquePointer) {
        self.renderer = renderer
        var info = SDL_RendererInfo()
        SDL_GetRendererInfo(renderer, &info)
        takesPlanes = withUnsafeBytes(of: info.texture_formats) {
            $0.bindMemory(to: UInt32.self).prefix(Int(info.num_texture_formats))
                .contains(SDL_PIXELFORMAT_IYUV.rawValue)
        }
        let blend = SDL_ComposeCustomBlendMode(
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD,
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD)
        let probe = SDL_CreateTexture(
            renderer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue), 1, 1)
        premultiplied = probe != nil && SDL_SetTextureBlendMode(probe, blend) == 0 ? blend : nil
        if let probe { SDL_DestroyTexture(probe) }
    }

    /// Destroys the textures of bitmaps.
    func forget() { (bitmaps, used) = ([:], []) }

    func dropUnusedBitmaps() {
        bitmaps = bitmaps.filter { used.contains($0.key) }
        used = []
    }

    /// Returns the view's texture with this frame in it; nil if the GPU refuses it. `kept`: the view's texture before,
    /// and then the one that is returned.
    func texture(of frame: Frame, _ stamp: Stamp, keeping kept: inout Texture?) -> Texture? {
        let mode = takesPlanes ? yuvMode(of: frame.format) : nil
        let pixels: Kind.Pixels = mode.map { .planes($0) } ?? (frame.isOpaque ? .opaque : .translucent)
        let kind = Kind(size: frame.size, pixels: pixels)
        if kept?.kind != kind {
            // The old texture is destroyed first.
            kept = nil
            kept = make(kind)
        }
        guard let texture = kept else { return nil }
        if texture.stamp != stamp {
            guard upload(frame, kind, to: texture.handle) else { return nil }
            texture.stamp = stamp
        }
        return texture
    }

    func texture(of bitmap: TextBitmap) -> OpaquePointer? {
        let identifier = ObjectIdentifier(bitmap)
        used.insert(identifier)
        if let known = bitmaps[identifier] { return known.texture.handle }
        guard let texture = make(Kind(size: bitmap.size, pixels: .translucent)) else { return nil }
        guard uploadTranslucent(bitmap.pixels, bitmap.size.width * 4, bitmap.size, texture.handle) else { return nil }
        bitmaps[identifier] = (texture, bitmap)
        return texture.handle
    }

    /// Sets the mode in which SDL reads planes. The mode holds for the whole process. Some renderers read it when a
    /// texture is made, others when a copy is carried out.
    func setMode(for kind: Kind) {
        guard case .planes(let mode) = kind.pixels, mode != SDL_GetYUVConversionMode() else { return }
        SDL_RenderFlush(renderer)
        SDL_SetYUVConversionMode(mode)
    }

    private func make(_ kind: Kind) -> Texture? {
        setMode(for: kind)
        var format = SDL_PIXELFORMAT_ARGB8888
        if case .planes = kind.pixels { format = SDL_PIXELFORMAT_IYUV }
        guard
            let handle = SDL_CreateTexture(
                renderer, format.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
                Int32(kind.size.width), Int32(kind.size.height))
        else { return nil }
        SDL_SetTextureScaleMode(handle, SDL_ScaleModeLinear)
        let isTranslucent = kind.pixels == .translucent
        SDL_SetTextureBlendMode(handle, isTranslucent ? premultiplied ?? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        return Texture(handle, kind)
    }

    private func upload(_ frame: Frame, _ kind: Kind, to handle: OpaquePointer) -> Bool {
        let planes = frame.planes
        switch kind.pixels {
        case .planes:
            return SDL_UpdateYUVTexture(
                handle, nil, planes[0].base, Int32(planes[0].stride), planes[1].base, Int32(planes[1].stride),
                planes[2].base, Int32(planes[2].stride)) == 0
        case .translucent:
            return uploadTranslucent(planes[0].base, planes[0].stride, frame.size, handle)
        case .opaque:
            if planes.count == 1 {
                return SDL_UpdateTexture(handle, nil, planes[0].base, Int32(planes[0].stride)) == 0
            }
            return locked(handle, frame.size) { raster in
                PixelSource(frame, part: Rect(frame.size)).draw(Rect(frame.size), into: raster, x: 0, y: 0)
            }
        }
    }

    private func uploadTranslucent(
        _ base: UnsafeRawPointer, _ stride: Int, _ size: Size, _ handle: OpaquePointer
    ) -> Bool {
        if premultiplied != nil { return SDL_UpdateTexture(handle, nil, base, Int32(stride)) == 0 }
        return locked(handle, size) { raster in
            ARGBUnattenuate(
                base, Int32(stride), raster.base, Int32(raster.stride), Int32(size.width), Int32(size.height))
        }
    }

    private func locked(_ handle: OpaquePointer, _ size: Size, _ draw: (Raster) -> Void) -> Bool {
        var pixels: UnsafeMutableRawPointer?
        var pitch: Int32 = 0
        guard SDL_LockTexture(handle, nil, &pixels, &pitch) == 0, let pixels else { return false }
        draw(Raster(base: pixels.assumingMemoryBound(to: UInt8.self), stride: Int(pitch), size: size))
        SDL_UnlockTexture(handle)
        return true
    }

    /// nil if SDL lacks these colours. Then they are converted on the way into the texture.
    private func yuvMode(of format: Frame.Format) -> SDL_YUV_CONVERSION_MODE? {
        switch format {
        case .i420(Colorimetry(.bt601, .limited)): SDL_YUV_CONVERSION_BT601
        case .i420(Colorimetry(.bt601, .full)): SDL_YUV_CONVERSION_JPEG
        case .i420(Colorimetry(.bt709, .limited)): SDL_YUV_CONVERSION_BT709
        default: nil
        }
    }
}
